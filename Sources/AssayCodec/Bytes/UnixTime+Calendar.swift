extension UnixTime {
  /// The moment of a date and time of day in UTC; nil if there is no such day or time. The year has at most four digits.
  package init?(
    _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64 = 0, _ minute: Int64 = 0, _ second: Int64 = 0
  ) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month) else { return nil }
    let months = lengths.prefix(Int(month) - 1)
    guard (1...lengths[months.count]).contains(day), hour < 24, minute < 60, second < 60 else { return nil }
    // The days before this year, counted from the year 0, which is a leap year and has 366.
    let years = year == 0 ? 0 : 366 + (year - 1) * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400
    let dayNumber = years + months.reduce(0, +) + day - 1
    let daysBefore1970: Int64 = 719_528
    self.init((((dayNumber - daysBefore1970) * 24 + hour) * 60 + minute) * 60 + second)
  }
}

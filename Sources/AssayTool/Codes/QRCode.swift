internal import AssayCodec
internal import AssayCrypto
internal import CQREncode

/// A QR code, as a drawing or as text.
struct QRCode {
  /// What may stand behind `--qr`.
  enum Form: CaseIterable {
    case svg, text

    var name: UTF8Text {
      switch self {
      case .svg: "svg"
      case .text: "text"
      }
    }
  }

  static let option = Command.Option.option(
    "--qr", "FORM", "print QR codes instead: svg, or text for a terminal of dark background")

  /// The light margin that readers need, in modules (ISO/IEC 18004, "quiet zone").
  private static let margin = 4
  /// The side of the largest code there is, version 40.
  private static let widest = 177

  /// How many modules each side has, without the margin.
  private let width: Int
  /// Row by row, dark or light.
  private let modules: [Bool]

  /// Makes the smallest code that holds `text`, with more of it restorable if that fits.
  init(_ text: String) throws(Failure) {
    var bytes = Array(text.utf8)
    defer { wipe(&bytes) }
    for level in [QR_ECLEVEL_M, QR_ECLEVEL_L] {
      if let code = Self.encoded(bytes, level) {
        self = code
        return
      }
    }
    throw .refused("this does not fit into a QR code: export fewer keys at once, or shorten the names")
  }

  private init(width: Int, modules: [Bool]) {
    self.width = width
    self.modules = modules
  }

  private static func encoded(_ text: [UInt8], _ level: QRecLevel) -> QRCode? {
    guard let count = Int32(exactly: text.count) else { return nil }
    let made = unsafe text.withUnsafeBufferPointer { unsafe QRcode_encodeData(count, $0.baseAddress, 0, level) }
    guard let code = unsafe made else { return nil }
    defer { unsafe QRcode_free(code) }
    let width = Int(unsafe code.pointee.width)
    guard width > 0, width <= widest, let data = unsafe code.pointee.data else { return nil }
    // The lowest bit of each byte is the module's colour.
    let modules = (0..<(width * width)).map { unsafe data[$0] & 1 == 1 }
    // They spell out a secret, and the library frees them as they are.
    unsafe data.update(repeating: 0, count: width * width)
    return QRCode(width: width, modules: modules)
  }

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    guard (0..<width).contains(row), (0..<width).contains(column) else { return false }
    return modules[row * width + column]
  }

  /// One drawing of codes, one below the other.
  static func svg(_ codes: [QRCode]) -> [UInt8] {
    let sides = codes.map { $0.width + 2 * margin }
    let (width, height) = (sides.max() ?? 0, sides.reduce(0, +))
    var text = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" shape-rendering="crispEdges">
      <path fill="#fff" d="M0 0h\(width)v\(height)h-\(width)z"/>
      <path d="
      """
    var top = 0
    for (code, side) in zip(codes, sides) {
      for row in 0..<code.width {
        var column = 0
        while column < code.width {
          let start = column
          while column < code.width, code.isDark(row, column) { column += 1 }
          if column > start {
            text += "M\(margin + start) \(top + margin + row)h\(column - start)v1h-\(column - start)z"
          } else {
            column += 1
          }
        }
      }
      top += side
    }
    return Array((text + "\"/>\n</svg>\n").utf8)
  }

  /// Codes in half blocks, one below the other: light where a character is, dark where there is none.
  static func text(_ codes: [QRCode]) -> [UInt8] {
    var text = ""
    for code in codes {
      let range = -margin..<(code.width + margin)
      for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
        for column in range {
          // Below the last row there is nothing, which is dark.
          switch (code.isDark(row, column), row + 1 == range.upperBound || code.isDark(row + 1, column)) {
          case (false, false): text += "\u{2588}"
          case (false, true): text += "\u{2580}"
          case (true, false): text += "\u{2584}"
          case (true, true): text += " "
          }
        }
        text += "\n"
      }
    }
    return Array(text.utf8)
  }
}

extension Report {
  /// What a verb writes for an app: the texts, one a line, or as QR codes if `--qr` asks for them.
  mutating func body(_ texts: [String], _ arguments: Arguments) throws(Failure) {
    guard let form = try arguments.choice("--qr", among: QRCode.Form.allCases, by: \.name) else {
      return body(Array(texts.map { $0 + "\n" }.joined().utf8))
    }
    let codes = try texts.map { (text) throws(Failure) in try QRCode(text) }
    let drawn =
      switch form {
      case .svg: QRCode.svg(codes)
      case .text: QRCode.text(codes)
      }
    warning("whoever sees or stores this has the secret: show it to the one person it is for, and delete it after use")
    fact("qr", "qr", .string(UTF8Text(String(decoding: drawn, as: UTF8.self))))
    body(drawn)
  }
}

import AssayState
import Testing

@Suite struct CacheControlTests {
  @Test(
    arguments: [
      ("", nil), ("max-age=60", 60), ("public, max-age=60, must-revalidate", 60), ("MAX-AGE=60", 60),
      ("max-age=\"60\"", 60), ("  max-age=60\t", 60), ("max-age=60,max-age=30", 30), ("max-age=0", 0),
      ("no-store", 0), ("max-age=60, No-Cache", 0), ("no-cache=\"set-cookie\", max-age=60", 0), ("max-age", nil),
      ("max-age=", nil), ("max-age=-1", nil), ("max-age=1.5", nil), ("max-age= 60", nil), ("max-age=6 0", nil),
      ("s-maxage=60", nil), ("x-max-age=60", nil), ("a=\"b, max-age=1\", max-age=60", 60),
      ("a=\"\\\", max-age=1\", max-age=60", 60), ("a=\"max-age=1", nil), ("max-age=9223372036854775807", .max),
      ("max-age=99999999999999999999999999999999", .max), ("max-age=\"", nil), (",,,;=\"", nil),
      ("max-age=6\u{660}", nil), ("max-age=x, max-age=7", 7),
    ] as [(String, Int64?)])
  func maximumAge(_ field: String, _ seconds: Int64?) {
    #expect(FetchedJWKSet(json: [], cacheControl: field).maximumAge == seconds)
  }

  @Test func anyBytesAreRead() {
    for byte in UInt8.min...UInt8.max {
      for place in 0...10 {
        var field = Array("max-age=60".utf8)
        field.insert(byte, at: place)
        _ = FetchedJWKSet(json: [], cacheControl: String(decoding: field, as: UTF8.self)).maximumAge
      }
    }
    #expect(FetchedJWKSet(json: [], cacheControl: nil).maximumAge == nil)
  }
}

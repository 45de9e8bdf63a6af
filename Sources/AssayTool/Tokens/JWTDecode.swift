internal import AssayCodec
internal import AssayJOSE

/// `jwt decode`: shows a token, and says that nothing in it was verified.
enum JWTDecode {
  static let command = Command(
    path: ["jwt", "decode"], summary: "show what a token says, WITHOUT verifying anything",
    operands: TokenInput.token,
    notes: ["Anyone can write any token. Use jwt verify to find out whether one is true."],
    run: { arguments throws(Failure) in
      let bytes = try TokenInput.token(arguments)
      let token: UnverifiedJWT
      do throws(JWTError) {
        token = try UnverifiedJWT.decodeWithoutVerifying(bytes.span)
      } catch { throw .refused("\(error)") }
      var report = Report.done
      report.warning("NOTHING WAS VERIFIED: anyone may have written every word of this token")
      report.object("header", "header", token.unverifiedHeader)
      report.object("claims", "claim", token.unverifiedClaims)
      for name in ["exp", "nbf", "iat"] as [UTF8Text] {
        guard let seconds = token.unverifiedClaims[name]?.number?.floor else { continue }
        report.shown("\(name.string) is", Shown.time(UnixTime(seconds)))
      }
      return report
    })
}

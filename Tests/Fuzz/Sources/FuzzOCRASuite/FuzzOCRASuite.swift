import Assay
import FuzzSupport

/// One input of libFuzzer: a suite, or behind a line feed a question for it.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe input(start, count)
  let parts = bytes.split(separator: 10, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
  guard let text = parts.first else { return 0 }
  let suite: OCRASuite
  do {
    suite = try OCRASuite(text.span)
  } catch {
    require((0...text.count).contains(error.offset), "an error points into the suite")
    return 0
  }
  require(suite.text.utf8 == text, "the text is kept byte for byte")
  require(suite.digits == 0 || OCRASuite.digitsAllowed.contains(suite.digits), "a response has its digits")
  require(OCRASuite.questionLengthsAllowed.contains(suite.maximumQuestionLength), "a question has its length")
  guard parts.count == 2, let rest = parts.last, let question = UTF8Text(validating: rest.span) else { return 0 }
  Answer.check(suite, question)
  return 0
}

private enum Answer {
  private static let secret = [UInt8](repeating: 7, count: 20)

  static func check(_ suite: OCRASuite, _ question: UTF8Text) {
    do throws(OCRAError) {
      let inputs: OCRAInputs
      let session = suite.sessionBytes.map { [UInt8](repeating: 1, count: $0) }
      if suite.passwordHash == nil {
        inputs = try OCRAInputs(suite, questions: [question], session: session)
      } else {
        let hash = try OCRAInputs.hash(password: secret.span, for: suite)
        inputs = try OCRAInputs(suite, questions: [question], passwordHash: hash, session: session)
      }
      verify(suite, inputs)
    } catch {
      require(error.code == .invalidQuestion, "nothing else is wrong")
    }
  }

  private static func verify(_ suite: OCRASuite, _ inputs: borrowing OCRAInputs) {
    do {
      let ocra = try OCRA(suite, secret: SecretBytes(copying: secret.span))
      let counter: UInt64? = suite.hasCounter ? 9 : nil
      let time = suite.period.map { _ in UnixTime(1_700_000_000) }
      let response = try ocra.response(inputs, counter: counter, time: time).text.utf8
      let match = try ocra.verify(response.span, inputs, counter: counter, at: time)
      require(match.counter == counter, "the counter is that of the response")
    } catch {
      require(false, "what is made is accepted")
    }
  }
}

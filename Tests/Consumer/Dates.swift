// Uses Foundation and not AssayFoundation: what its types would read by themselves is refused, not misread.
import Assay
import Foundation

struct Claims<Value: Decodable>: Decodable { let exp: Value }

func isRefused<Value: Decodable>(_ type: Value.Type, _ json: JSONValue) -> Bool {
  (try? json.decoded(as: Claims<Value>.self)) == nil
}

let json: JSONValue = ["exp": 1_700_000_000]
guard isRefused(Date.self, json), isRefused(Date?.self, json), isRefused(Decimal.self, json),
  isRefused([Data].self, ["exp": [[1]]]), isRefused(URL.self, ["exp": "https://id.example"]),
  try json.decoded(as: Claims<UnixTime>.self).exp == UnixTime(1_700_000_000)
else { fatalError("a type of Foundation is misread") }
print("refused what it would misread")

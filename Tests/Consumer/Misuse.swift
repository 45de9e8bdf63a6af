// What must not compile: each line that ends in `refused`, and no other.
import Assay

func misuse(
  _ secret: borrowing SecretBytes, _ other: borrowing SecretBytes, _ key: borrowing OTPKey, _ code: OneTimeCode,
  _ steam: SteamCode, _ response: OCRAResponse
) {
  print(secret)  // refused
  _ = "\(secret)"  // refused
  _ = String(describing: secret)  // refused
  _ = String(reflecting: secret)  // refused
  dump(secret)  // refused
  _ = Mirror(reflecting: secret)  // refused
  _ = secret == other  // refused
  _ = secret as any Equatable  // refused
  print(key)  // refused
  dump(key)  // refused
  _ = code == code  // refused
  _ = steam == steam  // refused
  _ = response == response  // refused
  print(secret.count == other.count, code, steam, response)
}

// The umbrella: one `import Assay` gives all that the engine promises, and nothing of what is below it.
@_exported public import AssayCodec
@_exported public import AssayCrypto
@_exported public import AssayJOSE
@_exported public import AssayOTP
@_exported public import AssayState
@_exported public import AssayWebAuthn

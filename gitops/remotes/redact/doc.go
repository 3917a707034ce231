// Package redact takes secrets out of what is about to leave the machine: keys and
// tokens by a maintained set of rules (gitleaks', as data: rules.json, written by
// docs/rules/run, its licence beside it) and some of our own, private keys, strings
// that look drawn by lot, long runs of encoded bytes, and the user's own patterns.
// What is found is replaced by [redacted:RULE].
//
// It is pure: bytes in, bytes and findings out; a finding never holds what stood there.
//
// Invariants: what becomes of a line depends on that line alone, and on the private key,
// curl command or Kubernetes secret that it is part of, a window of about a kibibyte: so a
// text that grew at its end has the same beginning as before. Escapes hide nothing, nor
// do a terminal's colours: strings of JSON, and JSON in strings of JSON, are read as what they
// mean, while only the bytes that spell a secret change, so that JSON stays JSON. What was redacted comes out of a second
// redaction as it is, whatever the text: the rules are applied until they find nothing.
//
// Not found by design: hexadecimal digests that no name calls a secret (they are ids far
// more often), numbers of JSON, words. Nothing here touches a disk, so a crash leaves nothing.
package redact

package redact

import (
	"bytes"
	"fmt"
	"testing"
)

// transcript is lines as agents write them: prose, code, a listing, with ids.
func transcript() []byte {
	var out bytes.Buffer
	code := "func (s *Store) Token(ctx context.Context, key string) (string, error) {\n\tif key == \"\" {\n\t\treturn \"\", errors.New(\"no key\")\n\t}\n\treturn s.cache.Get(ctx, key)\n}\n"
	for i := range 400 {
		fmt.Fprintf(&out, `{"type":"user","uuid":"%08x-1c2d-4e5f-8a9b-0c1d2e3f4a5b","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_01%022d","content":%q}]},"timestamp":"2026-11-30T10:00:00.000Z"}`+"\n", i, i, bytes.Repeat([]byte(code), 4))
		fmt.Fprintf(&out, `{"type":"assistant","message":{"content":[{"type":"text","text":"I read the file, and the access to the store is where the author put it: the token goes by api, not by secret. Now I run the tests, and then look at what is left of src/components/Header%d.tsx."}],"usage":{"input_tokens":1200,"output_tokens":80}}}`+"\n", i)
	}
	return out.Bytes()
}

func BenchmarkTranscript(b *testing.B) {
	r, data := newRedactor(b, Options{}), transcript()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.JSON(data)
	}
}

func BenchmarkBase64(b *testing.B) {
	r := newRedactor(b, Options{})
	data := []byte(`{"data":"` + string(bytes.Repeat([]byte("q7Xr2LkP9vTzB4mWc8NdYh3JsFg6Ue1A"), 1<<15)) + `"}`)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.JSON(data)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		newRedactor(b, Options{})
	}
}

// BenchmarkProgram is a program on one line, as a tool prints it that reads a bundle.
func BenchmarkProgram(b *testing.B) {
	r := newRedactor(b, Options{})
	data := bytes.Repeat([]byte(`function a(e,t){var n=e.apiKey||t.token;return n?{key:n,path:"/v1/"+e.access,auth:!0,"sk-":1}:null}`), 10_000)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.Text(data)
	}
}

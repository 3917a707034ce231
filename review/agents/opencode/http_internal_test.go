package opencode

import (
	"bufio"
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestResponses(t *testing.T) {
	for raw, want := range map[string]string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}more":                                        "{}",
		"HTTP/1.1 200 OK\r\ncontent-length:0\r\n\r\n":                                               "",
		"HTTP/1.1 200 OK\r\n\r\nto the end":                                                         "to the end",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n": "abcde",
		"HTTP/1.1 204 No Content\r\n\r\n":                                                           "",
		"HTTP/1.0 404 Not Found\nContent-Length: 1\n\nx":                                            "x",
		"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}":                                            "!",
		"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}":                                           "!",
		"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}":                                  "!",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n{}":                                       "!",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n":               "!",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n":                 "!",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab":                              "!",
		"HTTP/1.1 999 No\r\n\r\n":                                                                   "!",
		"HTTP/2 200\r\n\r\n":                                                                        "!",
		"SSH-2.0-x\r\n":                                                                             "!",
		"":                                                                                          "!",
		"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 70<<10) + "\r\nContent-Length: 2\r\n\r\n{}":  "!",
	} {
		_, body, err := readResponse(bufio.NewReader(strings.NewReader(raw)))
		if (err != nil) != (want == "!") || err == nil && string(body) != want {
			t.Errorf("%.60q: %q, %v", raw, body, err)
		}
	}
}

// TestRequest is read by a server that is not ours, and its answers by us.
func TestRequest(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		var body bytes.Buffer
		body.ReadFrom(r.Body)
		w.WriteHeader(201)
		w.Write([]byte(user + password + r.Method + r.URL.RequestURI() + body.String()))
		w.(http.Flusher).Flush() // in chunks
		w.Write([]byte("."))
	}))
	defer server.Close()
	addr := strings.TrimPrefix(server.URL, "http://")
	for _, r := range []request{{method: "GET", path: "/a?b=c"}, {method: "POST", path: "/"}, {method: "PATCH", path: "/x%2Fy", body: []byte(`{"a":1}`)}, {method: "DELETE", path: "/z"}} {
		r.addr, r.password = addr, "secret"
		status, body, err := r.do(context.Background())
		if err != nil || status != 201 || string(body) != "opencodesecret"+r.method+r.path+string(r.body)+"." {
			t.Errorf("%s %s: %d %q, %v", r.method, r.path, status, body, err)
		}
	}
}

func TestListening(t *testing.T) {
	for line, want := range map[string]string{
		"opencode server listening on http://127.0.0.1:34285": "127.0.0.1:34285", "at http://127.0.0.1:80/x": "127.0.0.1:80",
		"http://127.0.0.1:": "", "http://0.0.0.0:80": "", "": "",
	} {
		if got := listening(line); got != want {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func FuzzResponse(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		status, body, err := readResponse(bufio.NewReader(bytes.NewReader(raw)))
		if err == nil && (status < 200 || len(body) > len(raw)) {
			t.Fatalf("%d, %d bytes of %d", status, len(body), len(raw))
		}
	})
}

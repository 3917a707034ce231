package opencode

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// maxBody is the longest answer that is read, in bytes.
const maxBody = 512 << 20

// request is one HTTP request to our own server on the loopback. The client of the
// standard library is not used: what is linked is paid by every hook.
type request struct {
	addr, password string // HOST:PORT, and what the server was started with
	method, path   string
	body           []byte // nil: none
}

// do sends it over a connection of its own.
func (r request) do(ctx context.Context) (status int, body []byte, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", r.addr)
	if err != nil {
		return 0, nil, err
	}
	defer conn.Close()
	if end, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(end); err != nil {
			return 0, nil, err
		}
	}
	if _, err := conn.Write(r.bytes()); err != nil {
		return 0, nil, err
	}
	return readResponse(bufio.NewReader(conn))
}

// bytes is the request as it goes over the wire.
func (r request) bytes() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nAccept: application/json\r\n", r.method, r.path, r.addr)
	fmt.Fprintf(&b, "Authorization: Basic %s\r\n", base64.StdEncoding.EncodeToString([]byte("opencode:"+r.password)))
	if r.body != nil {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(r.body))
	} else if r.method != "GET" {
		b.WriteString("Content-Length: 0\r\n")
	}
	b.WriteString("\r\n")
	b.Write(r.body)
	return b.Bytes()
}

// readResponse reads an answer whole (RFC 9112): by its length, by chunks, or to the end.
func readResponse(r *bufio.Reader) (status int, body []byte, err error) {
	first, err := line(r)
	if err != nil {
		return 0, nil, err
	}
	proto, rest, _ := strings.Cut(first, " ")
	code, _, _ := strings.Cut(rest, " ")
	if status, err = strconv.Atoi(code); err != nil || status < 200 || status > 599 || !strings.HasPrefix(proto, "HTTP/1.") {
		return 0, nil, fmt.Errorf("%q is no answer of HTTP", first)
	}
	length, chunked := int64(-1), false
	for {
		header, err := line(r)
		if err != nil {
			return 0, nil, err
		}
		if header == "" {
			break
		}
		name, value, _ := strings.Cut(header, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "content-length":
			if length, err = strconv.ParseInt(value, 10, 64); err != nil || length < 0 {
				return 0, nil, fmt.Errorf("%q is no length", value)
			}
		case "transfer-encoding":
			chunked = strings.EqualFold(value, "chunked")
		case "content-encoding":
			return 0, nil, fmt.Errorf("the answer came as %s, which was not asked for", value)
		}
	}
	body, err = readBody(r, length, chunked, status)
	return status, body, err
}

func readBody(r *bufio.Reader, length int64, chunked bool, status int) ([]byte, error) {
	switch {
	case status == 204 || status == 304:
		return nil, nil
	case chunked:
		return readChunks(r)
	case length > maxBody:
		return nil, errTooLong
	case length >= 0:
		var b bytes.Buffer
		n, err := io.CopyN(&b, r, length)
		if n < length && err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return b.Bytes(), err
	}
	body, err := io.ReadAll(io.LimitReader(r, maxBody+1))
	if len(body) > maxBody {
		return nil, errTooLong
	}
	return body, err
}

var errTooLong = errors.New("the answer is too long")

func readChunks(r *bufio.Reader) ([]byte, error) {
	var body bytes.Buffer
	for {
		head, err := line(r)
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(head, ";")
		n, err := strconv.ParseInt(strings.TrimSpace(size), 16, 64)
		switch {
		case err != nil || n < 0:
			return nil, fmt.Errorf("%q is no size of a chunk", head)
		case n > maxBody-int64(body.Len()):
			return nil, errTooLong
		case n == 0:
			return body.Bytes(), nil // what may follow is of no use here
		}
		if _, err := io.CopyN(&body, r, n); err != nil {
			return nil, io.ErrUnexpectedEOF
		}
		if end, err := line(r); err != nil || end != "" {
			return nil, errors.New("a chunk is longer than it says")
		}
	}
}

// line reads one line without its end; one longer than the reader's buffer is an error.
func line(r *bufio.Reader) (string, error) {
	b, err := r.ReadSlice('\n')
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return strings.TrimRight(string(b), "\r\n"), err
}

"""A web server for the tests of fetching key sets: server.py PORT_FILE. Ends by itself after two minutes."""

import http.server
import os
import sys
import threading
import time

SET = b'{"keys":[]}'

# Answers that are no HTTP, or badly formed.
RAW = [
    b"",
    b"\r\n\r\n",
    b"garbage",
    b"HTTP/1.1\r\n\r\n",
    b"HTTP/9.9 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    b"HTTP/1.1 99999999999999999999 OK\r\n\r\n",
    b"HTTP/1.1 -1 OK\r\n\r\n",
    b"HTTP/1.1 000 OK\r\n\r\n",
    b"HTTP/1.1 204 No\r\n\r\nbody",
    b"HTTP/1.1 404 \xff\xfe\r\nX: \xff\r\n\r\n",
    b"HTTP/1.1 404 N\r\nno colon\r\n: no name\r\n\r\n",
    b"HTTP/1.1 404 N\r\nX: a\r\n folded\r\n\r\n",
    b"HTTP/1.1 404 N\nX: bare line feeds\n\n",
    b"HTTP/1.1 404 N\r\n" + b"X: " + b"a" * 50000 + b"\r\n\r\n",
    b"HTTP/1.1 404 N\r\n" + b"".join(b"X%d: a\r\n" % n for n in range(3000)) + b"\r\n",
    b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n{}",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}",
    b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
    b"HTTP/1.1 301 M\r\n\r\n",
    b"HTTP/1.1 301 M\r\nLocation:\r\n\r\n",
    b"HTTP/1.1 301 M\r\nLocation: http://[\r\n\r\n",
    b"HTTP/1.1 301 M\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 301 M\r\nLocation: \xff\xfe://\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 401 U\r\nWWW-Authenticate: \xff\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 407 P\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 404 N\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\n",
    b"HTTP/1.1 404 N\r\nSet-Cookie: \xff=;;;Expires=x\r\nContent-Length: 0\r\n\r\n",
]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, body=SET, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, seconds_between, chunk):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        end = time.time() + 60
        while time.time() < end:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            time.sleep(seconds_between)

    def do_GET(self):
        path = self.path
        if path == "/set":
            self.answer(200, Content_Type="application/jwk-set+json; charset=utf-8", Cache_Control="public, max-age=77")
        elif path == "/bare":
            self.answer(200)
        elif path == "/headers":
            body = "\n".join(sorted(name.lower() for name in self.headers)).encode()
            self.answer(200, body, Content_Type="text/plain", Set_Cookie="a=b")
        elif path == "/html":
            self.answer(200, Content_Type="text/html")
        elif path.startswith("/status/"):
            self.answer(int(path[8:]), Content_Type="application/json", Location="/set")
        elif path.startswith("/away/"):
            self.answer(302, Location="http://localhost:%d/set" % self.server.server_port)
        elif path.startswith("/size/"):
            self.answer(200, b" " * int(path[6:]), Content_Type="application/json")
        elif path == "/endless":
            self.stream(0, b" " * 1000)
        elif path == "/drip":
            self.stream(0.2, b" ")
        elif path == "/silent":
            time.sleep(60)
        elif path.startswith("/raw/"):
            self.wfile.write(RAW[int(path[5:])])
            self.close_connection = True
        elif path == "/cut":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(SET)
            self.close_connection = True
        else:
            self.answer(404)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
threading.Timer(120, lambda: os._exit(0)).start()
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()

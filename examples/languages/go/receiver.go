// Receives the events of a directory. Run it with: WEBHOOK_SECRET=whsec_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

type Event struct {
	ID          string `json:"id"`
	Sequence    int64  `json:"sequence"`
	Event       string `json:"event"`
	DirectoryID string `json:"directory_id"`
	Data        struct {
		ID     string `json:"id"`
		Email  string `json:"email"`
		Active bool   `json:"active"`
	} `json:"data"`
}

var secret = os.Getenv("WEBHOOK_SECRET")

// isSigned says whether one of the signatures is right, and no older than five minutes.
func isSigned(headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - seconds; err != nil || age > 300 || age < -300 {
		return false
	}
	key := []byte(secret)
	if encoded := strings.TrimPrefix(secret, "whsec_"); encoded != secret {
		if key, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(encoded, "=")); err != nil {
			return false
		}
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, one := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal(expected, []byte(one)) { // in constant time
			return true
		}
	}
	return false
}

// The last sequence of each directory. Keep it in your database, and change it in the transaction that process uses.
var (
	mutex     sync.Mutex
	positions = map[string]int64{}
)

// accept processes an event once and in order. It returns false if events before it are missing.
func accept(event Event) bool {
	if event.Event == "endpoint.test" { // not part of the sequence
		return true
	}
	mutex.Lock()
	defer mutex.Unlock()
	last, isKnown := positions[event.DirectoryID]
	if isKnown && event.Sequence <= last { // processed before: it was sent again
		return true
	}
	if isKnown && event.Sequence > last+1 && event.Event != "sync.started" {
		return false
	}
	process(event)
	positions[event.DirectoryID] = event.Sequence
	return true
}

// process is what your product does with a change.
func process(event Event) {
	fmt.Println(event.Sequence, event.Event, event.Data.ID)
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(request.Body)
	if err != nil || !isSigned(request.Header, body) {
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	events := make([]Event, 1)
	if strings.HasPrefix(string(body), "[") { // a list in batch mode
		err = json.Unmarshal(body, &events)
	} else {
		err = json.Unmarshal(body, &events[0])
	}
	if err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	for _, event := range events {
		if !accept(event) {
			response.WriteHeader(http.StatusServiceUnavailable) // sent again; read the feed, or request a resync
			return
		}
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr().(*net.TCPAddr).Port)
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}

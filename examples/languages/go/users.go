// Prints all users of a tenant. Run it with: ROLLCALL_API_KEY=… go run users.go acme crm
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

type User struct {
	ID     string `json:"id"`
	Email  string `json:"email"`
	Active bool   `json:"active"`
}

type Page struct {
	Data      []User `json:"data"`
	PageToken string `json:"pageToken"`
}

func readPage(query url.Values) (page Page, err error) {
	base := os.Getenv("ROLLCALL_URL")
	if base == "" {
		base = "http://localhost:5225"
	}
	request, err := http.NewRequest("GET", base+"/api/v1/directory-sync/users?"+query.Encode(), nil)
	if err != nil {
		return page, err
	}
	request.Header.Set("Authorization", "Api-Key "+os.Getenv("ROLLCALL_API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return page, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return page, fmt.Errorf("the service answered %s", response.Status)
	}
	err = json.NewDecoder(response.Body).Decode(&page)
	return page, err
}

func main() {
	query := url.Values{"tenant": {os.Args[1]}, "product": {os.Args[2]}, "pageLimit": {"100"}}
	for {
		page, err := readPage(query)
		if err != nil {
			log.Fatal(err)
		}
		for _, user := range page.Data {
			fmt.Println(user.ID, user.Email, user.Active)
		}
		if page.PageToken == "" { // absent on the last page; a page before it may be empty
			return
		}
		query.Set("pageToken", page.PageToken)
	}
}

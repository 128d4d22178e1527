# Prints all users of a tenant. Run it with: ROLLCALL_API_KEY=… ruby users.rb acme crm
require "json"
require "net/http"

URL = ENV.fetch("ROLLCALL_URL", "http://localhost:5225")

def each_user(tenant, product)
  query = { tenant: tenant, product: product, pageLimit: 100 }
  loop do
    address = URI("#{URL}/api/v1/directory-sync/users?#{URI.encode_www_form(query)}")
    response = Net::HTTP.get_response(address, "Authorization" => "Api-Key #{ENV.fetch('ROLLCALL_API_KEY')}")
    raise "the service answered #{response.code}" unless response.is_a?(Net::HTTPOK)
    page = JSON.parse(response.body)
    page["data"].each { |user| yield user }
    break unless page["pageToken"] # absent on the last page; a page before it may be empty
    query[:pageToken] = page["pageToken"]
  end
end

each_user(*ARGV) { |user| puts [user["id"], user["email"], user["active"]].join(" ") }

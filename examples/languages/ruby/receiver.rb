# Receives the events of a directory. Run it with: gem install webrick; WEBHOOK_SECRET=whsec_… ruby receiver.rb
require "base64"
require "json"
require "openssl"
require "webrick"

SECRET = ENV.fetch("WEBHOOK_SECRET")

# Whether one of the signatures is right, and no older than five minutes.
def signed?(request)
  id, timestamp = request["webhook-id"].to_s, request["webhook-timestamp"].to_s
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  key = SECRET.start_with?("whsec_") ? Base64.decode64(SECRET.delete_prefix("whsec_")) : SECRET
  digest = OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{timestamp}.#{request.body}")
  expected = "v1,#{Base64.strict_encode64(digest)}"
  request["webhook-signature"].to_s.split(" ").any? { |one| OpenSSL.secure_compare(expected, one) }
end

# The last sequence of each directory. Keep it in your database, and change it in the transaction that process uses.
POSITIONS = {}
LOCK = Mutex.new

# Processes an event once and in order. Returns false if events before it are missing.
def accept(event)
  return true if event["event"] == "endpoint.test" # not part of the sequence
  LOCK.synchronize do
    last = POSITIONS[event["directory_id"]]
    next true if last && event["sequence"] <= last # processed before: it was sent again
    next false if last && event["sequence"] > last + 1 && event["event"] != "sync.started"
    process(event)
    POSITIONS[event["directory_id"]] = event["sequence"]
    true
  end
end

# What your product does with a change.
def process(event)
  puts [event["sequence"], event["event"], event["data"]["id"]].join(" ")
end

server = WEBrick::HTTPServer.new(
  BindAddress: "127.0.0.1", Port: ENV.fetch("PORT", "3000").to_i,
  Logger: WEBrick::Log.new(File::NULL), AccessLog: []
)
server.mount_proc "/" do |request, response|
  events = signed?(request) ? [JSON.parse(request.body)].flatten : nil # a list in batch mode
  # After a 503 it is sent again; meanwhile read the feed, or request a resync.
  response.status = events.nil? ? 401 : events.all? { |event| accept(event) } ? 204 : 503
end
$stdout.sync = true
puts "listening on #{server.listeners.first.addr[1]}"
server.start

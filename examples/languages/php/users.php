<?php
// Prints all users of a tenant. Run it with: ROLLCALL_API_KEY=… php users.php acme crm
declare(strict_types=1);

/** All users, one page after the other. */
function users(string $tenant, string $product): Generator
{
    $url = getenv('ROLLCALL_URL') ?: 'http://localhost:5225';
    $headers = ['http' => ['header' => 'Authorization: Api-Key ' . getenv('ROLLCALL_API_KEY')]];
    $query = ['tenant' => $tenant, 'product' => $product, 'pageLimit' => 100];
    do {
        $address = "$url/api/v1/directory-sync/users?" . http_build_query($query);
        $text = file_get_contents($address, false, stream_context_create($headers));
        if ($text === false) {
            throw new RuntimeException('The service refused the request.');
        }
        $page = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
        yield from $page['data'];
        $query['pageToken'] = $page['pageToken'] ?? null; // absent on the last page; a page before it may be empty
    } while ($query['pageToken'] !== null);
}

foreach (users($argv[1], $argv[2]) as $user) {
    echo $user['id'], ' ', $user['email'], ' ', $user['active'] ? 'true' : 'false', "\n";
}

<?php
// Receives the events of a directory. Run it with: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
declare(strict_types=1);

/** Whether one of the signatures is right, and no older than five minutes. */
function isSigned(string $body, string $secret): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6)) : $secret;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $one) {
        if (hash_equals($expected, $one)) { // in constant time
            return true;
        }
    }
    return false;
}

/**
 * Processes an event once and in order. Returns false if events before it are missing. The last sequence of each directory is in a
 * file, which is locked: keep it in your database, and change it in the transaction that process uses.
 */
function accept(array $event): bool
{
    if ($event['event'] === 'endpoint.test') { // not part of the sequence
        return true;
    }
    $file = fopen(getenv('POSITIONS') ?: 'positions.json', 'c+');
    flock($file, LOCK_EX);
    $positions = json_decode(stream_get_contents($file) ?: '{}', true);
    $last = $positions[$event['directory_id']] ?? null;
    if ($last !== null && $event['sequence'] <= $last) { // processed before: it was sent again
        return true;
    }
    if ($last !== null && $event['sequence'] > $last + 1 && $event['event'] !== 'sync.started') {
        return false;
    }
    process($event);
    $positions[$event['directory_id']] = $event['sequence'];
    ftruncate($file, 0);
    rewind($file);
    fwrite($file, json_encode($positions));
    return true;
}

/** What your product does with a change. */
function process(array $event): void
{
    error_log("{$event['sequence']} {$event['event']} " . ($event['data']['id'] ?? ''));
}

$body = file_get_contents('php://input');
if (!isSigned($body, getenv('WEBHOOK_SECRET') ?: '')) {
    http_response_code(401);
    exit;
}
$events = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
foreach (array_is_list($events) ? $events : [$events] as $event) { // a list in batch mode
    if (!accept($event)) {
        http_response_code(503); // it is sent again; meanwhile read the feed, or request a resync
        exit;
    }
}
http_response_code(204);

import type { FieldProblem } from '../inputs/unknown-fields.ts'
import type { Caller } from './audit.ts'
import type { ChangeDirectory, DirectoriesParts } from './change-directory.ts'
import type { Directory, Endpoint, ExpiringSecret } from './directory.ts'
import { secretProblems } from './endpoint.ts'
import { DirectoryError, throwProblems } from './errors.ts'
import { parseInput, RotateSecretInput, RotateWebhookSecretInput } from './inputs.ts'
import { newSecret } from './secret.ts'

/**
 * Rotates the secrets of directories. The replaced secret stays valid for a grace period, `grace_seconds` (default 0).
 */
export function createSecretRotation(
  { clock, newEndpointSecret }: Pick<DirectoriesParts, 'clock' | 'newEndpointSecret'>,
  change: ChangeDirectory,
) {
  return {
    /**
     * Replaces the SCIM secret; during the grace period both are accepted.
     *
     * @throws DirectoryError `invalid-input`, `directory-not-found`
     */
    async rotateSecret(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const { grace_seconds: graceSeconds } = parseInput(RotateSecretInput, input ?? {})
      const expiresAt = graceEnd(graceSeconds, clock())
      const changed = (before: Directory): Directory => ({
        ...before,
        scimSecret: newSecret(),
        previousScimSecret: expiring(before.scimSecret, expiresAt),
      })
      return change(id, changed, { action: 'directory.secret_rotated', caller })
    },
    /**
     * Replaces the secret of the endpoint; during the grace period events are signed with both.
     *
     * @throws DirectoryError `invalid-input`, also when there is no endpoint; `directory-not-found`
     */
    async rotateWebhookSecret(id: string, input: unknown, caller: Caller): Promise<Directory> {
      const fields = parseInput(RotateWebhookSecretInput, input ?? {})
      throwProblems(secretProblems(fields.webhook_secret))
      const secret = fields.webhook_secret || newEndpointSecret()
      const expiresAt = graceEnd(fields.grace_seconds, clock())
      const changed = (before: Directory): Directory => ({
        ...before,
        endpoint: rotatedEndpoint(before.endpoint, secret, expiresAt),
      })
      return change(id, changed, { action: 'directory.webhook_secret_rotated', caller })
    },
  }
}

/** The end of the grace period, in Unix milliseconds; undefined when there is none. */
function graceEnd(graceSeconds = 0, now: number): number | undefined {
  return graceSeconds === 0 ? undefined : now + graceSeconds * 1000
}

function expiring(secret: string | undefined, expiresAt: number | undefined): ExpiringSecret | undefined {
  return secret === undefined || expiresAt === undefined ? undefined : { secret, expiresAt }
}

/**
 * The endpoint with its new secret. A request that sends the current secret again rotates nothing: the secret before it
 * stays the previous one, so that a repeated request does not drop it.
 *
 * @throws DirectoryError `invalid-input` when there is no endpoint
 */
function rotatedEndpoint(endpoint: Endpoint | undefined, secret: string, expiresAt: number | undefined): Endpoint {
  if (endpoint === undefined) throw new DirectoryError('invalid-input', noEndpoint.message, [noEndpoint])
  const before = endpoint.secret === secret ? endpoint.previousSecret?.secret : endpoint.secret
  return { ...endpoint, secret, previousSecret: expiring(before, expiresAt) }
}

const noEndpoint: FieldProblem = {
  field: 'webhook_url',
  message: 'webhook_url: this directory has none, so there is no secret to rotate; set webhook_url first.',
}

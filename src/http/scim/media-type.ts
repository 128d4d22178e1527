import type { FastifyReply } from 'fastify'

const unchanged = (text: unknown) => String(text)

/** Sets the media type of SCIM, which has no parameters (RFC 7644 §8.1), on a response of JSON text. */
export function asScim(reply: FastifyReply): FastifyReply {
  // Without a custom serializer, Fastify adds a charset to the type.
  return reply.header('content-type', 'application/scim+json').serializer(unchanged)
}

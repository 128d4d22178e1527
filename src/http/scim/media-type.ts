import type { FastifyReply } from 'fastify'

const unchanged = (text: unknown) => String(text)

/** Gives a response of JSON text the media type of SCIM, which has no parameters (RFC 7644 §8.1). */
export function asScim(reply: FastifyReply): FastifyReply {
  // Without a serializer of its own, Fastify adds a charset to the type.
  return reply.header('content-type', 'application/scim+json').serializer(unchanged)
}

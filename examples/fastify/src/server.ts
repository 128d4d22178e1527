import Fastify from 'fastify'
import { port, rollcall } from './rollcall.js'

const app = Fastify()

app.get('/', async () => 'The product')
await app.register(async (routes) => {
  // Rollcall reads the bodies itself.
  routes.removeAllContentTypeParsers()
  routes.addContentTypeParser('*', (_request, _payload, done) => done(null))
  routes.all('/rollcall/*', (request, reply) => {
    reply.hijack()
    rollcall.listener(request.raw, reply.raw)
  })
})

await app.listen({ port })

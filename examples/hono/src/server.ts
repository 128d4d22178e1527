import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { port, rollcall } from './rollcall.js'

const app = new Hono()

app.get('/', (context) => context.text('The product'))
app.all('/rollcall/*', (context) => rollcall.fetch(context.req.raw))

serve({ fetch: app.fetch, port })

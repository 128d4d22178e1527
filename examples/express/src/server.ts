import express from 'express'
import { port, rollcall } from './rollcall.js'

const app = express()

app.get('/', (_request, response) => {
  response.send('The product')
})
// Above any body parser: Rollcall reads the bodies itself.
app.use('/rollcall', rollcall.listener)

app.listen(port)

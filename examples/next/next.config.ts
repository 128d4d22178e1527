import type { NextConfig } from 'next'

const config: NextConfig = {
  // Rollcall opens a database: it is loaded by Node.js, not bundled.
  serverExternalPackages: ['rollcall'],
}

export default config

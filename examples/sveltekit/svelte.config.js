import adapter from '@sveltejs/adapter-node'

export default {
  // The secret of a directory, not the origin, protects SCIM; the API has its key.
  kit: { adapter: adapter(), csrf: { trustedOrigins: ['*'] } },
}

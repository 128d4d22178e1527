/** How many spent authorizations that have expired are forgotten with each that is spent: more than come in. */
export const forgottenPerCall = 20

import { runTogether } from '../support/run-together.ts'

runTogether('guarantees/{durability,extdir-*,restart,rotate-keys}.test.ts')

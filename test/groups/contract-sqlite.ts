import { runTogether } from '../support/run-together.ts'

runTogether('contract/{group-commit,idle-directories,migrations,sealing,sqlite*}.test.ts')

import { runTogether } from '../support/run-together.ts'

runTogether('contract/{group-commit,idle-directories,sealing,sqlite*}.test.ts')

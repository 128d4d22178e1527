import { runTogether } from '../support/run-together.ts'

runTogether('unit/{fake-google,google}/**/!(lazy).test.ts')

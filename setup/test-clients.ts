/** Runs clients in other languages and runtimes against a real gateway; arguments select steps by a part of their name. */
import { CLIENT_STEPS } from './clients/client-steps.ts'
import { runClientSteps } from './clients/run-client-steps.ts'

process.exitCode = (await runClientSteps(CLIENT_STEPS, process.argv.slice(2))) ? 0 : 1

/** Runs the sandbox's provider of exchange as a program of its own, until it is told to end or its parent is gone. */
import { runProgram } from '../run-program.ts'
import { readConfig } from './config.ts'
import { startSandboxFx } from './fx-provider.ts'

const config = readConfig(process.env)
await runProgram({
  name: 'sandbox-fx',
  title: "the sandbox's provider of exchange",
  logLevel: config.logLevel,
  start: (log) => startSandboxFx({ ...config, log }),
  addressesOf: ({ url }) => ({ url }),
})

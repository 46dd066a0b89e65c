/** Runs the sandbox's FX provider as a program until it is stopped or its parent has exited. */
import { runProgram } from '../run-program.ts'
import { FX_SETTINGS, readProgramSettings } from '../settings.ts'
import { startSandboxFx } from './fx-provider.ts'

const config = readProgramSettings(FX_SETTINGS, process.env)
await runProgram({
  name: 'sandbox-fx',
  title: "the sandbox's provider of exchange",
  logLevel: config.logLevel,
  start: (log) => startSandboxFx({ ...config, log }),
  addressesOf: ({ url, controlUrl }) => ({ url, controlUrl }),
})

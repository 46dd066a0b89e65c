/** Runs the sandbox's identity provider as a program until it is stopped or its parent has exited. */
import { runProgram } from '../run-program.ts'
import { IDENTITY_PROVIDER_SETTINGS, readProgramSettings } from '../settings.ts'
import { startIdentityProvider } from './identity-provider.ts'

const config = readProgramSettings(IDENTITY_PROVIDER_SETTINGS, process.env)
await runProgram({
  name: 'sandbox-identity',
  title: "the sandbox's identity provider",
  logLevel: config.logLevel,
  start: (log) => startIdentityProvider({ ...config, log }),
  addressesOf: ({ url, controlUrl }) => ({ url, controlUrl }),
})

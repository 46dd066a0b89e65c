/** Prints performance figures of the gateway on this machine, and compares initiations with pgbench. */
import { parseBenchOptions } from './bench-options.ts'

const options = parseBenchOptions(process.argv.slice(2))
if (options.run) {
  // Loading the gateway and all measurements takes a second, which the help does not need.
  const { measureParts } = await import('./measure-parts.ts')
  await measureParts(options)
} else {
  const print = options.exitCode === 0 ? console.log : console.error
  print(options.text)
  process.exitCode = options.exitCode
}

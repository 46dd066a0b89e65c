/** Begins every property of a process with the seed of the run, if it has one. The test runner loads this before a file. */
import { configureGlobal, readConfigureGlobal } from 'fast-check'

const asked = process.env['HAVN_SEED']
if (asked !== undefined) {
  if (!/^-?[0-9]{1,10}$/.test(asked)) {
    throw new Error(`HAVN_SEED is ${JSON.stringify(asked)}; it must be a whole number of at most ten digits`)
  }
  configureGlobal({ ...readConfigureGlobal(), seed: Number(asked) })
}

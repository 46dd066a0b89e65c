/** Sets the seed of all property tests of a process from `HAVN_SEED`. The test runner loads this first. */
import { configureGlobal, readConfigureGlobal } from 'fast-check'

const seed = process.env['HAVN_SEED']
if (seed !== undefined) {
  if (!/^-?[0-9]{1,10}$/.test(seed)) {
    throw new Error(`HAVN_SEED is ${JSON.stringify(seed)}; it must be a whole number of at most ten digits`)
  }
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) })
}

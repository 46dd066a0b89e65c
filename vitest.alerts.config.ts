/** Configures `npm run test:alerts`: as all tests, with the trials of alerts only. */
import { defineConfig, mergeConfig } from 'vitest/config'
import tests from './vitest.config.ts'

const { include: _, ...test } = tests.test ?? {}
export default mergeConfig(
  { ...tests, test },
  defineConfig({ test: { include: ['gateway/testing/alerts/*.trial.ts'], silent: false } }),
)

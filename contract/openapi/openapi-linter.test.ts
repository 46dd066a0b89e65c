/** Lints docs/openapi.json with Redocly, with its strict rules and the exceptions of its configuration file. */
import { fileURLToPath } from 'node:url'
import { lint, loadConfig } from '@redocly/openapi-core'
import { expect, it } from 'vitest'

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))

it('docs/openapi.json has no errors and no warnings', async () => {
  const config = await loadConfig({ configPath: pathOf('redocly.yaml') })
  const found = await lint({ ref: pathOf('docs/openapi.json'), config })
  expect(found.length).toBeGreaterThan(0)
  const reported = found.filter(({ ignored }) => ignored !== true)
  expect(reported.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

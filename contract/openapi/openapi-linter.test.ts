/** Lints docs/openapi.json with Redocly and Spectral, with the rules and exceptions of their own configuration files. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { lint, loadConfig } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import spectralParsers from '@stoplight/spectral-parsers'
import spectralRulesets from '@stoplight/spectral-rulesets'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const pathOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const DOCUMENT = pathOf('docs/openapi.json')

describe('docs/openapi.json has no errors and no warnings', () => {
  it('of Redocly, with its strict rules', async () => {
    const config = await loadConfig({ configPath: pathOf('redocly.yaml') })
    const found = await lint({ ref: DOCUMENT, config })
    expect(found.length).toBeGreaterThan(0)
    const reported = found.filter(({ ignored }) => ignored !== true)
    expect(reported.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
  })

  it('of Spectral, with its rules for OpenAPI', async () => {
    const ruleset = pathOf('.spectral.yaml')
    const rules: object = parse(await readFile(ruleset, 'utf8'))
    const spectral = new spectralCore.Spectral()
    spectral.setRuleset(new spectralCore.Ruleset({ ...rules, extends: [spectralRulesets.oas] }, { source: ruleset }))
    const text = await readFile(DOCUMENT, 'utf8')
    const found = await spectral.run(new spectralCore.Document(text, spectralParsers.Json, DOCUMENT))
    expect(found.map(({ code, message, path }) => [code, message, path.join('/')])).toEqual([])
  })
})

/** Stores what a release promises, to be compared with every later one: run once at each release. */
import { readFile, writeFile } from 'node:fs/promises'
import { namedInterface } from './released-interface.ts'

const ROOT = new URL('../../../', import.meta.url)
const RELEASED = new URL('released/', import.meta.url)
/** Texts for readers, which programs do not depend on. */
const TEXTS = ['description', 'summary', 'example', 'examples', 'externalDocs']

const text = async (path: string) => await readFile(new URL(path, ROOT), 'utf8')
// A field may be named like one of the texts: below `properties` nothing is left out.
const withoutTexts = (value: unknown, isFields = false): unknown => {
  if (Array.isArray(value)) {
    return value.map((one) => withoutTexts(one))
  }
  return typeof value !== 'object' || value === null
    ? value
    : Object.fromEntries(
        Object.entries(value)
          .filter(([name]) => isFields || !TEXTS.includes(name))
          .map(([name, member]) => [name, withoutTexts(member, !isFields && name === 'properties')]),
      )
}
const contract = withoutTexts(JSON.parse(await text('docs/openapi.json')))
await writeFile(new URL('openapi.json', RELEASED), `${JSON.stringify(contract)}\n`)
await writeFile(new URL('names.json', RELEASED), `${JSON.stringify(await namedInterface(), undefined, 1)}\n`)
await writeFile(new URL('schema.sql', RELEASED), await text('gateway/schema.sql'))

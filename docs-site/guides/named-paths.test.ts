/** Tests that the files and folders which documents for engineers name exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const DOCUMENTS = ['docs/guides/adding-a-bank.md', 'docs/guides/adding-a-standard.md', 'docs/ARCHITECTURE.md']
/** Without those that start with a point, as `.havn` of a sandbox that runs here: their names are no patterns. */
const folders = readdirSync(ROOT, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && /^\w/.test(entry.name))
  .map(({ name }) => name)
/** A path in the tree, in back quotes or as an argument of a command. */
const PATH = new RegExp(`(?<![\\w/.-])(?:${folders.join('|')})/[\\w./-]*`, 'g')

test.each(DOCUMENTS)('every path in %s exists', (document) => {
  const text = readFileSync(new URL(document, ROOT), 'utf8')
  // What a reader makes, as a copy of a profile, is not there yet.
  const paths = [...new Set(text.match(PATH))].filter((path) => !path.includes('my-bank'))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !existsSync(new URL(path.replace(/\.$/, ''), ROOT)))).toEqual([])
})

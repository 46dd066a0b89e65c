/** Tests that the evidence which the pages about security name exists. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const ROOT = new URL('../', import.meta.url)
const PAGES = ['docs/operating/threat-model.md']

test.each(PAGES)('every path that %s names exists', (page) => {
  const text = readFileSync(new URL(page, ROOT), 'utf8')
  const paths = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path)
  expect(paths).not.toEqual([])
  expect(paths.filter((path) => !existsSync(new URL(path, ROOT)))).toEqual([])
})

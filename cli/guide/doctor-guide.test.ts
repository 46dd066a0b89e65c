/** Compares `docs/doctor.md` with the checks, their links with the documents, and requires a test of each check. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CHECK_GROUPS, UNFINISHED } from '../doctor/inspect-installation.ts'
import { knownSettings } from '../doctor/settings/known-settings.ts'
import { doctorGuide } from './doctor-guide.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)
const DOCTOR = new URL('../doctor/', import.meta.url)
const groups = Object.values(CHECK_GROUPS)

it('is the page that the checks make: npm run command-line-guide writes it', async () => {
  expect(await readFile(new URL('doctor.md', DOCUMENTS), 'utf8')).toBe(doctorGuide())
})

it('has checks with unique ids, each with a test', async () => {
  const ids = groups.flatMap(({ checks }) => Object.keys(checks))
  expect(new Set(ids).size).toBe(ids.length)
  const names = (await readdir(DOCTOR)).filter((name) => name.endsWith('.test.ts'))
  const tests = (await Promise.all(names.map((name) => readFile(new URL(name, DOCTOR), 'utf8')))).join('\n')
  expect(ids.filter((id) => !tests.includes(`'${id}'`))).toEqual([])
})

it('links to headings that exist', async () => {
  const links = [UNFINISHED, ...groups.flatMap(({ checks }) => Object.values(checks))].map(({ see }) => see)
  const headings = new Map<string, readonly string[]>()
  for (const file of new Set(links.map((link) => link.split('#')[0] ?? ''))) {
    const text = await readFile(new URL(file, DOCUMENTS), 'utf8')
    headings.set(
      file,
      [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
    )
  }
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#')
    return anchor !== undefined && headings.get(file)?.includes(anchor) !== true
  })
  expect(broken).toEqual([])
})

it('knows every setting that is documented', async () => {
  const text = await readFile(new URL('settings.md', DOCUMENTS), 'utf8')
  const documented = [...text.matchAll(/^\| `(HAVN_[A-Z0-9_]+)`/gm)].map(([, name = '']) => name)
  const known = knownSettings()
  expect(documented.filter((name) => !known.has(name))).toEqual([])
})

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
}

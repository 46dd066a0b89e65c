/** Tests that the map in docs/ARCHITECTURE.md shows the house as it is. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { ARCHITECTURE_FILE, withCurrentMap } from './map.ts'

it('is current; if this fails, run: npm run map', async () => {
  const document = await readFile(ARCHITECTURE_FILE, 'utf8')
  expect(document).toBe(await withCurrentMap(document))
})

/** Tests that every setting of the long tests is read by its test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LONG_TEST_SETTINGS } from './long-test-settings.ts'
import { ROOT } from './source-files.ts'

it.each(LONG_TEST_SETTINGS)('$setting is read by $test', async ({ setting, test }) => {
  expect(await readFile(join(ROOT, test), 'utf8')).toContain(`process.env['${setting}']`)
})

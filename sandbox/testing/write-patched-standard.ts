/** Writes the patched copy of the bank standard's OpenAPI file next to the original. */
import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { patchXs2aStandard } from './patch-xs2a-standard.ts'

const original = parse(await readFile(new URL('../../third_party/psd2-api.yaml', import.meta.url), 'utf8'))
const patched = JSON.stringify(patchXs2aStandard(original), null, 1)
await writeFile(new URL('../../third_party/psd2-api-patched.json', import.meta.url), `${patched}\n`)

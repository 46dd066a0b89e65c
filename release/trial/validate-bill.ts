/** Validates bills of materials by the schema of CycloneDX, with the library that its authors publish. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createVenv } from '../../setup/clients/ensure-programs.ts'
import { runProgram } from '../../setup/clients/run-program.ts'

/** Apache-2.0; it brings the schemas, and those of SPDX's licences. */
const VALIDATOR = 'cyclonedx-python-lib[json-validation]==11.12.0'
/** Strict: properties that the schema does not name are errors. Prints the first error of each file. */
const PROGRAM = `
import json, sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
for file in sys.argv[1:]:
    text = open(file, encoding='utf-8').read()
    version = SchemaVersion.from_version(json.loads(text)['specVersion'])
    error = JsonStrictValidator(version).validate_str(text)
    if error is not None:
        place = '/'.join(str(part) for part in error.data.absolute_path)
        sys.exit(f'{file}: {place}: {error.data.validator}: {error.data.message[:200]}')
`

/** Throws with the first error. A validator that accepts everything would show nothing: damaged copies must have errors. */
export async function validateBills(folder: string, files: readonly [string, ...string[]]): Promise<void> {
  const programs = await createVenv(folder, 'python', [VALIDATOR])
  const validate = async (...names: readonly string[]) =>
    await runProgram(join(programs, 'python'), ['-c', PROGRAM, ...names], { folder })
  await validate(...files)
  const text = await readFile(files[0], 'utf8')
  for (const [from, to] of [
    ['"type": "library"', '"type": "book"'],
    ['"alg": "SHA-512"', '"algorithm": "SHA-512"'],
    ['"id": "MIT"', '"id": "The usual licence"'],
  ] as const) {
    const damaged = join(folder, 'damaged.cdx.json')
    if (!text.includes(from)) {
      throw new Error(`${files[0]} has no ${from} to damage`)
    }
    await writeFile(damaged, text.replace(from, to))
    await validate(damaged).then(
      () => Promise.reject(new Error(`The schema accepts ${to}`)),
      () => undefined,
    )
  }
}

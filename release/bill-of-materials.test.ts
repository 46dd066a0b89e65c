/** Tests the bill of materials and the third-party licences. */
import { expect, test } from 'vitest'
import { billOfMaterials, thirdPartyLicences } from './bill-of-materials.ts'
import { PLATFORMS } from './platforms.ts'

const [platform] = PLATFORMS
const packages = [
  { name: '@scope/one', version: '1.2.3', licence: 'MIT', sha512: 'ab'.repeat(64), texts: ['The licence\n'] },
  { name: 'two', version: '2.0.0', licence: '(MIT OR Apache-2.0)', sha512: 'cd'.repeat(64), texts: ['The licence\n'] },
  { name: 'four', version: '4.0.0', licence: 'BSD-0-Clause', sha512: 'ef'.repeat(64), texts: [] },
  { name: 'three', version: '3.0.0', licence: undefined, sha512: 'ef'.repeat(64), texts: [] },
]
const base = [{ name: 'libc6', version: '2.36-9+deb12u10' }]

test('the bill names every package with its licence and hash, and is the same for the same packages', () => {
  if (platform === undefined) {
    expect.fail('There is no platform')
  }
  const bill = { version: '1.0.0', platform, dateMilliseconds: 0, packages, base }
  const document = JSON.parse(billOfMaterials(bill))
  expect(document).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { timestamp: '1970-01-01T00:00:00.000Z', component: { name: 'havn', version: '1.0.0' } },
    components: [
      {
        purl: 'pkg:npm/%40scope/one@1.2.3',
        licenses: [{ license: { id: 'MIT' } }],
        hashes: [{ alg: 'SHA-512', content: 'ab'.repeat(64) }],
      },
      { purl: 'pkg:npm/two@2.0.0', licenses: [{ expression: '(MIT OR Apache-2.0)' }] },
      { purl: 'pkg:npm/four@4.0.0', licenses: [{ license: { id: '0BSD' } }] },
      { purl: 'pkg:npm/three@3.0.0' },
      { purl: 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64' },
    ],
  })
  expect(document.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(billOfMaterials(bill)).toBe(billOfMaterials({ ...bill, packages: [...packages] }))
  expect(billOfMaterials({ ...bill, packages: [...packages, ...packages] })).toBe(billOfMaterials(bill))
  expect(JSON.parse(billOfMaterials({ ...bill, base: [] })).serialNumber).not.toBe(document.serialNumber)
})

test('each text of a licence is there once, under the names of its packages', () => {
  const text = thirdPartyLicences(packages)
  expect(text.match(/The licence/g)).toHaveLength(1)
  expect(text).toContain('@scope/one 1.2.3 (MIT)\ntwo 2.0.0 ((MIT OR Apache-2.0))\n\nThe licence')
  expect(text).toContain('three 3.0.0 (see below)\n\nLicence: see the package')
})

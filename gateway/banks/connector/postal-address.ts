/** Type of a creditor's postal address, and its lines for validation. */

/** A creditor's address; fields are non-empty or absent. The schemes accept none without town and country. */
export type PostalAddress = {
  readonly streetName?: string
  readonly buildingNumber?: string
  readonly city: string
  readonly postCode?: string
  readonly country: string
}

/** The fields except the country, in the order of the contract. */
const MEMBERS = ['streetName', 'buildingNumber', 'city', 'postCode'] as const
type Member = (typeof MEMBERS)[number]

/** An address as requests contain it. Before its validation, fields may have any type. */
type GivenAddress = Readonly<Partial<Record<Member | 'country', string | undefined>>>

/** The trimmed texts of an address that are not blank. Unknown fields of a request are ignored. */
export function addressTexts(address: GivenAddress): readonly (readonly [member: Member, text: string])[] {
  return MEMBERS.flatMap((member) => {
    const text = address[member]
    return typeof text === 'string' && text.trim() !== '' ? [[member, text.trim()] as const] : []
  })
}

/** The address as it is sent to a bank; undefined if town or country are missing, which are not guessed. */
export function sendableAddress(address: GivenAddress | undefined): PostalAddress | undefined {
  const filled: Partial<Record<Member, string>> = Object.fromEntries(addressTexts(address ?? {}))
  const { city } = filled
  return city === undefined || address?.country === undefined
    ? undefined
    : { ...filled, city, country: address.country }
}

/** Type of a creditor's postal address, and its lines for validation. */

/** A creditor's address; fields are non-empty or absent. */
export type PostalAddress = {
  readonly streetName?: string
  readonly buildingNumber?: string
  readonly city?: string
  readonly postCode?: string
  readonly country: string
}

/** The fields except the country, in the order of the contract. */
const MEMBERS = ['streetName', 'buildingNumber', 'city', 'postCode'] as const
type Member = (typeof MEMBERS)[number]

/** The trimmed texts of an address. Unknown fields of a request may have any type and are ignored. */
export function addressTexts(
  address: Readonly<Partial<Record<Member, string | undefined>>>,
): readonly (readonly [member: Member, text: string])[] {
  return MEMBERS.flatMap((member) => {
    const text = address[member]
    return text === undefined ? [] : [[member, text.trim()] as const]
  })
}

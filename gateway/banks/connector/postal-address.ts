/** Says what an address is, as banks are told one. */

/** Where a receiver is; members are filled, and those that nobody gave are absent. */
export type PostalAddress = {
  readonly streetName?: string
  readonly buildingNumber?: string
  readonly city?: string
  readonly postCode?: string
  readonly country: string
}

/** The members that banks are sent in the order of the contract, without the country. */
const MEMBERS = ['streetName', 'buildingNumber', 'city', 'postCode'] as const
type Member = (typeof MEMBERS)[number]

/** The texts of an address, trimmed. Unknown members of a request may be of any type, and are no part of the address. */
export function addressTexts(
  address: Readonly<Partial<Record<Member, string | undefined>>>,
): readonly (readonly [member: Member, text: string])[] {
  return MEMBERS.flatMap((member) => {
    const text = address[member]
    return text === undefined ? [] : [[member, text.trim()] as const]
  })
}

/** Characters that no one sees. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu;

/** A name as it reads: two spellings that come to the same are one person (decision 0041). */
export const folded = (name: string): string => {
  const plain = name.normalize('NFKC').trim().replaceAll(unseen, '').trim();
  return plain.toUpperCase().toLowerCase().normalize('NFKC');
};

/** A fictional freelancer. */
export interface Freelancer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly location: string;
  readonly skills: readonly string[];
}

const of = (id: string, name: string, location: string, ...skills: readonly string[]): Freelancer => ({
  id,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.org`,
  location,
  skills,
});

const freelancers: readonly Freelancer[] = [
  of('f-01', 'Marta Figueiredo', 'Lisbon', 'TypeScript', 'Node.js', 'PostgreSQL'),
  of('f-02', 'Jonas Weber', 'Berlin', 'TypeScript', 'React'),
  of('f-03', 'Ines Moreira', 'Lisbon', 'TypeScript', 'Node.js'),
  of('f-04', 'Aoife Byrne', 'Dublin', 'Python', 'PostgreSQL'),
  of('f-05', 'Rui Tavares', 'Lisbon', 'TypeScript', 'PostgreSQL', 'Go'),
  of('f-06', 'Lena Novak', 'Prague', 'TypeScript', 'Node.js', 'PostgreSQL'),
];

const fit = (skills: readonly string[], one: Freelancer): number =>
  skills.filter((skill) => one.skills.includes(skill)).length;

/**
 * Returns those at a location with any of the skills, the best first. If there is none at the location,
 * searches everywhere.
 */
export const search = (skills: readonly string[], location: string): readonly Freelancer[] => {
  const fitting = freelancers.filter((one) => fit(skills, one) > 0);
  const near = fitting.filter((one) => one.location.toLowerCase() === location.trim().toLowerCase());
  return (near.length > 0 ? near : fitting).toSorted((one, other) => fit(skills, other) - fit(skills, one));
};

export const byIds = (ids: readonly string[]): readonly Freelancer[] =>
  ids.flatMap((id) => freelancers.find((one) => one.id === id) ?? []);

//! The matches among the jobs of a store.

use crate::{Filter, Job, Store, StoreError};
use astragal_arena::contest::{Identity, KIND};
use astragal_arena::revision::REVISION;
use astragal_arena::standings::PlayedMatch;

impl Job {
    /// The match that the job describes, if it is one in the format of this version.
    #[must_use]
    pub fn contest(&self) -> Option<Identity> {
        let (text, _) = self.revision();
        let identity: Identity = serde_json::from_str(&text).ok().filter(|_| self.kind == KIND)?;
        (serde_json::to_string(&identity).ok()? == text).then_some(identity)
    }
}

impl Store {
    /// The matches with their pairs, and the number of matches left out because another revision of the
    /// program played them.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn matches(&self, filter: &Filter) -> Result<(Vec<PlayedMatch>, u64), StoreError> {
        let (mut matches, mut outdated) = (Vec::new(), 0);
        for job in self.jobs()?.into_iter().filter(|job| filter.matches(job) && job.units > 0) {
            let Some(identity) = job.contest() else { continue };
            if job.revision().1 == Some(REVISION) {
                matches.push((identity, self.read(job.id, u64::MAX)?));
            } else {
                outdated += 1;
            }
        }
        Ok((matches, outdated))
    }
}

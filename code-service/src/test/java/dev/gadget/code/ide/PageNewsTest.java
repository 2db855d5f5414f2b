package dev.gadget.code.ide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gadget.model.SessionId;
import dev.gadget.model.ide.IdeEvent;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("News for a page")
class PageNewsTest {
    private final PageNews news = new PageNews();

    @Test
    @DisplayName("what came in a pause is looked for again, also when the pause ends between the two questions")
    void endOfAPause() throws InterruptedException {
        var first = new IdeEvent.SessionChanged(SessionId.random(), false);
        var second = new IdeEvent.SessionChanged(SessionId.random(), false);
        PageNews.Added added = news.add(first);
        // Here the pause begins, which is short: what has to be in it comes at once.
        IdeEvent told = news.next();
        long pause = news.pauseMillis();
        PageNews.Added later = news.add(second);
        assertThat(added).isEqualTo(PageNews.Added.NOW);
        assertThat(told).isEqualTo(first);
        assertThat(pause).isPositive();
        assertThat(later).isEqualTo(PageNews.Added.LATER);

        Thread.sleep(300);
        assertThat(news.pauseMillis()).isEqualTo(1);
        assertThat(news.next()).isEqualTo(second);
    }

    @Test
    @DisplayName("nothing is looked for while nothing waits and there is no pause")
    void rest() {
        assertThat(news.next()).isNull();
        assertThat(news.pauseMillis()).isZero();
    }
}

require 'spec_helper'

RSpec.describe Shop::Store, type: :model do
  subject(:store) { described_class.new([], owner: owner) }
  let(:owner) { build(:owner) }
  let!(:item) { Item.create }

  before { store.reset }

  describe '#each' do
    context 'when empty' do
      it 'yields nothing' do
        expect { |b| store.each(&b) }.not_to yield_control
      end
      it { is_expected.to be_empty }
    end
  end

  it_behaves_like 'a collection'

  shared_examples 'a list' do
    specify { expect(store).to respond_to(:size) }
  end
end

class StoreTest < Minitest::Test
  def setup
    @store = Shop::Store.new
  end

  def test_size
    assert_equal 0, @store.size
  end

  test "is empty" do
    assert @store.empty?
  end
end
